#include "CSluice.h"
