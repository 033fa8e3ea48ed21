# embed_text(LAYER FILE ...): each text file of the layer's folder as a constant of the program.
# `page.css` of the layer `report` becomes kPageCss in "report/page_css.h".

function(embed_text layer)
  foreach(file ${ARGN})
    string(REPLACE "." "_" stem ${file})
    string(REGEX MATCHALL "[a-z]+" words ${stem})
    set(constant k)
    foreach(word ${words})
      string(SUBSTRING ${word} 0 1 initial)
      string(TOUPPER ${initial} initial)
      string(SUBSTRING ${word} 1 -1 rest)
      string(APPEND constant ${initial}${rest})
    endforeach()
    file(READ ${file} text)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/src/${layer}/${stem}.h @ONLY CONTENT [[
// Written by CMake from src/@layer@/@file@.
#pragma once

#include <string_view>

namespace ippatsu::@layer@ {

inline constexpr std::string_view @constant@ = R"embedded(@text@)embedded";

}  // namespace ippatsu::@layer@
]])
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  target_include_directories(${layer} PRIVATE ${CMAKE_BINARY_DIR}/src)
endfunction()
