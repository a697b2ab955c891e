// Calls getppid() of the C library 100 times in each of four goroutines, and recovers from a panic.
package main

// #include <unistd.h>
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

func call(group *sync.WaitGroup) {
	defer group.Done()
	runtime.LockOSThread()
	for i := 0; i < 100; i++ {
		C.getppid()
	}
}

func fail() (cause any) {
	defer func() { cause = recover() }()
	panic("intended")
}

func main() {
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go call(&group)
	}
	group.Wait()
	fmt.Println("recovered from", fail())
	os.Exit(3)
}
