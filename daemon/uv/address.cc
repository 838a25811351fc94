#include "daemon/uv/address.h"

#include <string_view>

namespace slotd {
namespace {

using GetName = int (*)(const uv_tcp_t*, sockaddr*, int*);

sockaddr_storage name_of(const uv_tcp_t* socket, GetName get) {
  sockaddr_storage storage{};
  int length = sizeof(storage);
  if (get(socket, reinterpret_cast<sockaddr*>(&storage), &length) != 0)
    storage.ss_family = AF_UNSPEC;
  return storage;
}

std::string ip_text(const sockaddr_storage& storage) {
  char text[INET6_ADDRSTRLEN] = "";
  if (storage.ss_family == AF_INET) {
    uv_ip4_name(reinterpret_cast<const sockaddr_in*>(&storage), text, sizeof(text));
  } else if (storage.ss_family == AF_INET6) {
    uv_ip6_name(reinterpret_cast<const sockaddr_in6*>(&storage), text, sizeof(text));
  }
  constexpr std::string_view kMapped = "::ffff:";
  std::string_view view(text);
  bool mapped = view.starts_with(kMapped) && view.find('.') != std::string_view::npos;
  return std::string(mapped ? view.substr(kMapped.size()) : view);
}

uint16_t port_of(const sockaddr_storage& storage) {
  if (storage.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
  if (storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
  }
  return 0;
}

}  // namespace

Result<sockaddr_storage> parse_address(const std::string& ip, uint16_t port) {
  sockaddr_storage storage{};
  std::string literal = ip == "*" ? "0.0.0.0" : ip;
  if (uv_ip4_addr(literal.c_str(), port, reinterpret_cast<sockaddr_in*>(&storage)) == 0)
    return storage;
  if (uv_ip6_addr(literal.c_str(), port, reinterpret_cast<sockaddr_in6*>(&storage)) == 0)
    return storage;
  return make_error(ErrorCode::InvalidArgument, "'{}' is not an IP address", ip);
}

std::string remote_ip(const uv_tcp_t* socket) {
  return ip_text(name_of(socket, uv_tcp_getpeername));
}
std::string local_ip(const uv_tcp_t* socket) {
  return ip_text(name_of(socket, uv_tcp_getsockname));
}
uint16_t local_port(const uv_tcp_t* socket) { return port_of(name_of(socket, uv_tcp_getsockname)); }
uint16_t remote_port(const uv_tcp_t* socket) {
  return port_of(name_of(socket, uv_tcp_getpeername));
}

Result<void> listen_on(uv_tcp_t* socket, const std::string& ip, uint16_t port, int backlog,
                       uv_connection_cb on_connection) {
  Result<sockaddr_storage> address = parse_address(ip, port);
  if (!address) return address.error();
  // libuv reports a port in use only when it listens.
  int failed = uv_tcp_bind(socket, reinterpret_cast<const sockaddr*>(&*address), 0);
  if (failed == 0) {
    failed = uv_listen(reinterpret_cast<uv_stream_t*>(socket), backlog, on_connection);
  }
  if (failed == 0) return {};
  return make_error(ErrorCode::Io, "cannot listen on {}:{}: {}", ip, port, uv_strerror(failed));
}

}  // namespace slotd
