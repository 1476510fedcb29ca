import { receiveMessageOnPort } from 'node:worker_threads'

/** More names than any cluster has services; then it starts again. */
const maxRemembered = 10_000

/**
 * Asks the engine's thread and waits for the answer, since an expression cannot. Each question is asked once.
 * @param {import('./pulse.js').Pulse} pulse
 * @param {import('node:worker_threads').MessagePort} answers
 * @param {(virtualService: string) => void} ask
 * @returns {(virtualService: string) => string}
 */
export function rememberingTranslator(pulse, answers, ask) {
  /** @type {Map<string, string>} */
  const remembered = new Map()
  return (virtualService) => {
    const known = remembered.get(virtualService)
    if (known !== undefined) return known
    pulse.waitForAnswer(() => ask(virtualService))
    const answer = String(receiveMessageOnPort(answers)?.message)
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(virtualService, answer)
    return answer
  }
}
