// Computes for half a second, throws and catches.
function spin(start) {
	let sum = start;
	for (let i = 0; i < 1000; i++)
		sum = (sum * 31 + i) % 65521;
	return sum;
}

const end = Date.now() + 500;
let sum = 1;
while (Date.now() < end)
	sum = spin(sum);
try {
	null.missing();
} catch (error) {
	console.log("caught " + error.name);
}
process.exitCode = 6;
