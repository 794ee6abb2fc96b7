# SPDX-License-Identifier: MIT
# cmake -DINPUT=page.html -DOUTPUT=page.cpp -DSYMBOL=name -P EmbedFile.cmake
# Turns a file into `extern const std::string_view hqe::SYMBOL`, so that users need the binary alone.
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR length "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
       "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include <string_view>
namespace {
constexpr unsigned char bytes[] = {
${bytes}};
}
namespace hqe {
extern const std::string_view ${SYMBOL};
const std::string_view ${SYMBOL}(reinterpret_cast<const char*>(bytes), ${length});
}
")
