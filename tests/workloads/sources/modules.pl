# Loads a module in C, and calls access() in it a hundred times.
use POSIX ();
select(undef, undef, undef, $ENV{PAUSE});
POSIX::access("/dev/null", POSIX::R_OK()) for 1 .. 100;
print eval { die "intended\n" } // "caught $@";
exit 7;
