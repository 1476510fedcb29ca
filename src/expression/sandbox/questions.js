import { receiveMessageOnPort } from 'node:worker_threads'

/**
 * An answer that begins with an exclamation mark is an error message. An unknown name is asked for only if the second
 * function allows it.
 * @typedef {(virtualService: string, mayAsk: () => boolean) => string} Translate
 */

/** More names than any cluster has services; beyond that the memory is cleared. */
const maxRemembered = 10_000

/**
 * Asks the engine's thread and waits for the answer, since an expression cannot wait. Each question is asked once.
 * @param {import('./pulse.js').Pulse} pulse
 * @param {import('node:worker_threads').MessagePort} answers
 * @param {(virtualService: string) => void} ask
 * @returns {Translate}
 */
export function rememberingTranslator(pulse, answers, ask) {
  /** @type {Map<string, string>} */
  const remembered = new Map()
  return (virtualService, mayAsk) => {
    const known = remembered.get(virtualService)
    if (known !== undefined) return known
    if (!mayAsk()) return '!virtualToHostDNS was asked for too many names at once'
    pulse.waitForAnswer(() => ask(virtualService))
    const answer = String(receiveMessageOnPort(answers)?.message)
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(virtualService, answer)
    return answer
  }
}
