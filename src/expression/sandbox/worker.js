import { parentPort, workerData } from 'node:worker_threads'
import { SandboxHost } from './host.js'
import { makeImage } from './image.js'
import { Pulse } from './pulse.js'
import { rememberingTranslator } from './questions.js'

/**
 * The thread of a sandbox. Plain JavaScript, so that Node runs it from the sources as it does from the build.
 *
 * @typedef {import('../protocol.ts').Batch} Batch
 * @typedef {import('../protocol.ts').WorkerMessage} WorkerMessage
 * @typedef {import('../protocol.ts').WorkerSettings} WorkerSettings
 */

/** @param {WorkerMessage} message */
function send(message) {
  parentPort?.postMessage(message)
}

/** @param {WorkerSettings} settings */
async function start({ image: existing, pulse: memory, answers, maxInterrupts, memoryBytes }) {
  const image = existing ?? (await makeImage())
  const pulse = new Pulse(memory)
  const translate = rememberingTranslator(pulse, answers, (virtualService) =>
    send({ type: 'question', virtualService }),
  )
  send({ type: 'ready', image })
  return new SandboxHost({ image, pulse, maxInterrupts, memoryBytes, translate, send })
}

const host = start(workerData)
let last = host.then(() => {})

// Listening also keeps the thread's loop alive: an idle one would wait for the compiler in the background to finish.
parentPort?.on('message', (/** @type {Batch} */ batch) => {
  last = last.then(async () => (await host).evaluate(batch))
})
