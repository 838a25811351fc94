#include "cli/local_cluster.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace slotd;

namespace {

class Directory {
 public:
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "slotd-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = std::filesystem::canonical(name).string();
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }
  void remember(const std::string& json) { std::ofstream(path_ + "/local.json") << json; }

 private:
  std::string path_;
};

// A process that lives, but did not start when the file says.
std::string entry(const std::string& directory) {
  return R"({"daemons": [{"pid": )" + std::to_string(getpid()) +
         R"(, "started": 1, "port": 1, "bus_port": 2, "directory": ")" + directory + R"("}]})";
}

}  // namespace

TEST_CASE("a directory without a local cluster is not found", "[cli]") {
  Directory directory;
  auto cluster = LocalCluster::load(directory.path());
  REQUIRE(!cluster.ok());
  CHECK(cluster.error().code == ErrorCode::NotFound);
}

TEST_CASE("a damaged memory of the local cluster is an error", "[cli]") {
  Directory directory;
  for (const char* json :
       {"", "[]", "{}", "{\"daemons\": 1}", "{\"daemons\": [{}]}",
        "{\"daemons\": [{\"pid\": \"x\", \"started\": 1, \"port\": 1, \"bus_port\": 2, "
        "\"directory\": \"d\"}]}"}) {
    INFO(json);
    directory.remember(json);
    auto cluster = LocalCluster::load(directory.path());
    REQUIRE(!cluster.ok());
    CHECK(cluster.error().code == ErrorCode::Corrupt);
  }
}

TEST_CASE("a process with the number of a daemon but another start is not taken for it", "[cli]") {
  Directory directory;
  directory.remember(entry(directory.path() + "/1"));
  auto cluster = LocalCluster::load(directory.path());
  REQUIRE(cluster.ok());
  CHECK(cluster->first_running() == nullptr);
  CHECK(cluster->stop(false).value() == 0);
}

TEST_CASE("a local cluster removes its own directories only", "[cli]") {
  Directory directory;
  Directory other;
  for (const std::string& named : {other.path(), directory.path() + "/../x", directory.path()}) {
    INFO(named);
    directory.remember(entry(named));
    auto cluster = LocalCluster::load(directory.path());
    REQUIRE(!cluster.ok());
    CHECK(cluster.error().code == ErrorCode::Corrupt);
  }
}

TEST_CASE("a relative directory means the same from anywhere", "[cli]") {
  Directory directory;
  auto here = std::filesystem::current_path();
  directory.remember(entry(directory.path() + "/1"));
  std::filesystem::path parent = std::filesystem::path(directory.path()).parent_path();
  std::string name = std::filesystem::path(directory.path()).filename().string();
  for (const std::string& relative : {std::filesystem::relative(directory.path(), here).string(),
                                      directory.path() + "/", (parent / "." / name).string()}) {
    INFO(relative);
    auto cluster = LocalCluster::load(relative);
    REQUIRE(cluster.ok());
    CHECK(cluster->directory() == directory.path());
  }
}

TEST_CASE("a start over a damaged memory is refused, since daemons may run", "[cli]") {
  Directory directory;
  directory.remember("damaged");
  auto cluster = LocalCluster::start(directory.path(), 1, 0, "/bin/false", {});
  REQUIRE(!cluster.ok());
  CHECK(cluster.error().code == ErrorCode::Corrupt);
}

TEST_CASE("a program that is no daemon does not start, in a directory that is new", "[cli]") {
  Directory directory;
  std::string fresh = directory.path() + "/deep/new/";
  auto cluster = LocalCluster::start(fresh, 1, 0, "/bin/false", {});
  REQUIRE(!cluster.ok());
  CHECK(cluster.error().message.find("did not start") != std::string::npos);
  CHECK(std::filesystem::exists(directory.path() + "/deep/new/1"));
}

TEST_CASE("a local cluster that is forgotten leaves nothing of its own", "[cli]") {
  Directory directory;
  std::filesystem::create_directory(directory.path() + "/1");
  std::ofstream(directory.path() + "/kept") << "somebody else's";
  directory.remember(entry(directory.path() + "/1"));
  auto cluster = LocalCluster::load(directory.path());
  REQUIRE(cluster.ok());
  REQUIRE(cluster->stop(true).ok());
  CHECK(!std::filesystem::exists(directory.path() + "/1"));
  CHECK(!std::filesystem::exists(directory.path() + "/local.json"));
  CHECK(std::filesystem::exists(directory.path() + "/kept"));
}
