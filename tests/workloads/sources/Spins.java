/** Computes for half a second, throws and catches. */
public class Spins {
    static long spin(long start) {
        long sum = start;
        for (int i = 0; i < 1000; i++)
            sum += i ^ (sum << 1);
        if (sum == 0)
            throw new IllegalStateException();
        return sum;
    }

    public static void main(String[] unused) throws InterruptedException {
        long end = System.nanoTime() + 500_000_000L, sum = 1;
        while (System.nanoTime() < end)
            sum = spin(sum | 1);
        try {
            spin(sum = 0);
            Integer.parseInt("none");
        } catch (NumberFormatException expected) {
            System.out.println("caught " + expected.getMessage().length());
        }
        System.exit(5);
    }
}
