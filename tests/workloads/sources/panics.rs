// Calls getppid() of the C library 100 times in each of ten calls of layer::fail(), every other of which panics.
use std::panic;

extern "C" {
    fn getppid() -> i32;
}

mod layer {
    struct Held(u32);

    impl Drop for Held {
        fn drop(&mut self) {
            println!("dropped {}", self.0);
        }
    }

    #[inline(never)]
    pub fn fail(number: u32) {
        let held = Held(number);
        for _ in 0..100 {
            unsafe { super::getppid() };
        }
        if held.0 % 2 == 1 {
            panic!("intended");
        }
    }
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let caught = (0..10).filter(|&number| panic::catch_unwind(|| layer::fail(number)).is_err()).count();
    println!("caught {}", caught);
    std::process::exit(4);
}
