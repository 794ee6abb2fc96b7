// SPDX-License-Identifier: MIT
#include "cli/team_argument.h"

#include "hqe/documents/team_json.h"
#include "hqe/files/mapped_file.h"
#include "hqe/saved/saved.h"
#include "options/words.h"

namespace hqe::cli {

TeamFile read_team_file(const std::string& path, const Session& session) {
  session.protect_inputs({path});
  return read_document(map_file(path, "a team file or a study"), team_from_json);
}

options::NamedTeam find_team(Pool& pool, const std::string& word, const Session& session) {
  options::NamedTeam team;
  if (!options::is_team_file(word)) {
    for (const std::string& member : options::split(word, ',')) {
      team.members.push_back(find_model(pool, member));
    }
    return team;
  }
  team.file = read_team_file(word, session);
  team.members = match_team(*team.file, pool);
  return team;
}

}  // namespace hqe::cli
