#include "daemon/store/file_state_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace slotd {
namespace {

// A state file is a few hundred bytes a member; anything near this is not one.
constexpr size_t kMaxStateBytes = 256u << 20;

Error io_error(std::string_view what, const std::string& path) {
  return make_error(ErrorCode::Io, "cannot {} {}: {}", what, path, std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

bool write_all(int fd, ByteView bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return true;
}

Result<void> sync_directory(const std::string& directory) {
  Descriptor fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid() || fsync(fd.get()) != 0) return io_error("sync", directory);
  return {};
}

}  // namespace

Result<FileStateStore> FileStateStore::open(const std::string& directory,
                                            const std::string& file_name) {
  std::string lock_path = directory + "/slotd.lock";
  int lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) return io_error("create", lock_path);
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    bool taken = errno == EWOULDBLOCK;
    Error error = taken ? make_error(ErrorCode::Conflict, "directory {} is used by another slotd",
                                     directory)
                        : io_error("lock", lock_path);
    close(lock);
    return error;
  }
  return FileStateStore(directory, directory + "/" + file_name, lock);
}

FileStateStore::FileStateStore(FileStateStore&& other) noexcept
    : directory_(std::move(other.directory_)),
      path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)) {}

FileStateStore::~FileStateStore() {
  if (lock_ >= 0) close(lock_);
}

Result<std::optional<Bytes>> FileStateStore::load() const {
  Descriptor fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() && errno == ENOENT) return std::optional<Bytes>{};
  if (!fd.valid()) return io_error("open", path_);
  Bytes bytes;
  uint8_t chunk[64u << 10];
  while (true) {
    ssize_t size = read(fd.get(), chunk, sizeof(chunk));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return io_error("read", path_);
    if (size == 0) return std::optional<Bytes>(std::move(bytes));
    bytes.insert(bytes.end(), chunk, chunk + size);
    if (bytes.size() > kMaxStateBytes) {
      return make_error(ErrorCode::TooLarge, "{} is larger than any state file", path_);
    }
  }
}

Result<void> FileStateStore::save(ByteView state) {
  std::string beside = path_ + ".new";
  {
    Descriptor fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!fd.valid()) return io_error("create", beside);
    if (!write_all(fd.get(), state)) return io_error("write", beside);
    if (fsync(fd.get()) != 0) return io_error("sync", beside);
  }
  if (rename(beside.c_str(), path_.c_str()) != 0) return io_error("rename", beside);
  return sync_directory(directory_);
}

}  // namespace slotd
