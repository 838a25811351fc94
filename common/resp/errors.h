#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

// The one table of the error replies that clients match on, worded as Redis 7.0 words them. Nobody
// inside compares on a text.
namespace slotd::reply {

using Text = std::string_view;

// Arguments.
inline constexpr Text kSyntax = "ERR syntax error";
inline constexpr Text kNotInteger = "ERR value is not an integer or out of range";
inline constexpr Text kNotFloat = "ERR value is not a valid float";
inline constexpr Text kOffsetRange = "ERR offset is out of range";
inline constexpr Text kNoSuchKey = "ERR no such key";
inline constexpr Text kBusyKey = "BUSYKEY Target key name already exists.";
inline constexpr Text kStringTooLong =
    "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
inline constexpr Text kOverflow = "ERR increment or decrement would overflow";
inline constexpr Text kNanOrInfinity = "ERR increment would produce NaN or Infinity";
inline constexpr Text kInvalidCursor = "ERR invalid cursor";
inline constexpr Text kSameObject = "ERR source and destination objects are the same";
inline constexpr Text kInvalidTtl = "ERR Invalid TTL value, must be >= 0";
inline constexpr Text kInvalidIdle = "ERR Invalid IDLETIME value, must be >= 0";
inline constexpr Text kInvalidFreq = "ERR Invalid FREQ value, must be >= 0 and <= 255";
inline constexpr Text kNxAndOthers =
    "ERR NX and XX, GT or LT options at the same time are not compatible";
inline constexpr Text kGtAndLt = "ERR GT and LT options at the same time are not compatible";

// Cluster.
inline constexpr Text kCrossSlot = "CROSSSLOT Keys in request don't hash to the same slot";
inline constexpr Text kTryAgain = "TRYAGAIN Multiple keys request during rehashing of slot";
inline constexpr Text kSlotNotServed = "CLUSTERDOWN Hash slot not served";
inline constexpr Text kClusterDown = "CLUSTERDOWN The cluster is down";
inline constexpr Text kClusterDownReadOnly =
    "CLUSTERDOWN The cluster is down and only accepts read commands";
inline constexpr Text kSelectInCluster = "ERR SELECT is not allowed in cluster mode";
inline constexpr Text kCopyInCluster =
    "ERR Copying to another database is not allowed in cluster mode";
inline constexpr Text kInvalidSlot = "ERR Invalid or out of range slot";

// Connection.
inline constexpr Text kNoAuth = "NOAUTH Authentication required.";
inline constexpr Text kWrongPass = "WRONGPASS invalid username-password pair or user is disabled.";
inline constexpr Text kAuthNotConfigured =
    "ERR AUTH <password> called without any password configured for the default user. Are you sure "
    "your configuration is correct?";
inline constexpr Text kNoProto = "NOPROTO unsupported protocol version";
inline constexpr Text kProtoNotInteger = "ERR Protocol version is not an integer or out of range";
inline constexpr Text kHelloNoAuth =
    "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH "
    "<user> <pass> option can be used to authenticate the client and select the RESP protocol "
    "version at the same time";
inline constexpr Text kClientName =
    "ERR Client names cannot contain spaces, newlines or special characters.";
inline constexpr Text kNoSuchClient = "ERR No such client";
inline constexpr Text kMaxClients = "ERR max number of clients reached";

// Transactions.
inline constexpr Text kNestedMulti = "ERR MULTI calls can not be nested";
inline constexpr Text kExecWithoutMulti = "ERR EXEC without MULTI";
inline constexpr Text kDiscardWithoutMulti = "ERR DISCARD without MULTI";
inline constexpr Text kWatchInMulti = "ERR WATCH inside MULTI is not allowed";
inline constexpr Text kExecAbort = "EXECABORT Transaction discarded because of previous errors.";
inline constexpr Text kNotInMulti = "ERR Command not allowed inside a transaction";

// Moving keys.
inline constexpr Text kBadPayload = "ERR DUMP payload version or checksum are wrong";
inline constexpr Text kBadData = "ERR Bad data format";
inline constexpr Text kMigrateKeysNeedsEmpty =
    "ERR When using MIGRATE KEYS option, the key argument must be set to the empty string";

inline std::string wrong_arguments(std::string_view command) {
  return fmt::format("ERR wrong number of arguments for '{}' command", command);
}
inline std::string invalid_expire(std::string_view command) {
  return fmt::format("ERR invalid expire time in '{}' command", command);
}
inline std::string unknown_subcommand(std::string_view subcommand, std::string_view upper_command) {
  return fmt::format("ERR unknown subcommand '{:.128}'. Try {} HELP.", subcommand, upper_command);
}
inline std::string moved(unsigned slot, std::string_view ip, unsigned port) {
  return fmt::format("MOVED {} {}:{}", slot, ip, port);
}
inline std::string ask(unsigned slot, std::string_view ip, unsigned port) {
  return fmt::format("ASK {} {}:{}", slot, ip, port);
}

}  // namespace slotd::reply
