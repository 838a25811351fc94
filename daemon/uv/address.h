#pragma once

#include <uv.h>

#include <string>

#include "common/base/result.h"

namespace slotd {

// A literal IPv4 or IPv6 address ('*' is 0.0.0.0) with a port, for libuv. Names are not resolved.
Result<sockaddr_storage> parse_address(const std::string& ip, uint16_t port);

// The literal address of either end of a connected socket, or "" if it is gone. An IPv4 address
// seen through a dual-stack socket is given as IPv4.
std::string remote_ip(const uv_tcp_t* socket);
std::string local_ip(const uv_tcp_t* socket);
uint16_t local_port(const uv_tcp_t* socket);
uint16_t remote_port(const uv_tcp_t* socket);

// A socket that listens; port 0 has the kernel choose. The error names the address and the reason.
Result<void> listen_on(uv_tcp_t* socket, const std::string& ip, uint16_t port, int backlog,
                       uv_connection_cb on_connection);

}  // namespace slotd
