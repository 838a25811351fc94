#pragma once

#include <optional>
#include <string>

#include "common/node/ports.h"

namespace slotd {

// The state file in the data directory: written beside, synced, renamed, and the directory synced,
// so a crash at any moment leaves the old state or the new. A lock on the directory keeps a second
// daemon away for as long as this object lives.
class FileStateStore : public StateStore {
 public:
  // Locks `directory`, which must exist. The error says who or what is in the way.
  static Result<FileStateStore> open(const std::string& directory, const std::string& file_name);

  FileStateStore(FileStateStore&& other) noexcept;
  FileStateStore& operator=(FileStateStore&&) = delete;
  ~FileStateStore() override;

  // The bytes of the state file; nothing if there is none yet. A file that cannot be read is an
  // error.
  Result<std::optional<Bytes>> load() const;
  Result<void> save(ByteView state) override;

  const std::string& path() const { return path_; }

 private:
  FileStateStore(std::string directory, std::string path, int lock)
      : directory_(std::move(directory)), path_(std::move(path)), lock_(lock) {}

  std::string directory_;
  std::string path_;
  int lock_;  // descriptor
};

}  // namespace slotd
