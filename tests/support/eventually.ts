const patienceMs = 5_000
const pauseMs = 5

/** Tries an assertion until it holds; what it last complained about is the failure. */
export async function eventually(assertion: () => void | Promise<void>, withinMs = patienceMs): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      await assertion()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
