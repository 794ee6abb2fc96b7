# SPDX-License-Identifier: MIT
# Run by `cmake --install`: asks the command ${hqe} for its manual pages and its completion.
set(share "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share")

function(hqe_write path)
  execute_process(COMMAND ${hqe} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${share}/${path}" "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

function(hqe_write_page name)
  hqe_write(man/man1/${name}.1 man ${ARGN})
  execute_process(COMMAND gzip -9nf "${share}/man/man1/${name}.1" COMMAND_ERROR_IS_FATAL ANY)
  set(text "${text}" PARENT_SCOPE)
endfunction()

hqe_write_page(hqe)
string(REGEX MATCHALL "hqe\\\\-([a-z]+) \\(1\\)" pages "${text}")
foreach(page IN LISTS pages)
  string(REGEX REPLACE "hqe\\\\-([a-z]+) .*" "\\1" page "${page}")
  hqe_write_page(hqe-${page} ${page})
endforeach()
hqe_write(bash-completion/completions/hqe completion bash)
hqe_write(zsh/vendor-completions/_hqe completion zsh)
hqe_write(fish/vendor_completions.d/hqe.fish completion fish)
