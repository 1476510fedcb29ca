import { Worker } from 'node:worker_threads'
import type { SignatureQuestion } from './signature-question.ts'
// Not used here: the import ensures that the thread is compiled together with this file.
import type {} from './thread/check-signature.js'

/** A check takes a fraction of a second, and the start of the thread a second or two; more on a busy machine. */
const longestMs = 20_000
const idleMs = 60_000
const heapSizeMb = 128

/**
 * A thread that verifies signatures, one at a time. The signed content is computed for the whole message before it is
 * known whether the provider has made it, which occupies a thread for longer than others can wait. The thread starts
 * with the first response, and ends when none has arrived for a while.
 */
export class SignatureThread {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  /** The assertion as signed. Undefined: by none of the certificates. Rejects if that could not be determined. */
  async check(question: SignatureQuestion): Promise<string | undefined> {
    clearTimeout(this.#idle)
    const worker = this.#worker ?? this.#start()
    try {
      return await answerOf(worker, question)
    } catch (error) {
      await this.close()
      throw error
    } finally {
      this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  /** A worker that has exited, even between two checks, is not used again. */
  #start(): Worker {
    const worker = startWorker().on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#worker = worker
    return worker
  }
}

function startWorker(): Worker {
  // Plain JavaScript beside this file, in the sources as in the build.
  const worker = new Worker(new URL('./thread/check-signature.js', import.meta.url), {
    name: 'signatures of SAML',
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapSizeMb },
  })
  worker.unref()
  return worker.on('error', () => {})
}

function answerOf(worker: Worker, question: SignatureQuestion): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      worker.off('message', taken).off('exit', gone)
      settle()
    }
    const taken = (signed: string | undefined) => end(() => resolve(signed))
    const gone = () => end(() => reject(new Error('The thread that checks signatures has ended.')))
    const timer = setTimeout(() => end(() => reject(new Error('A signature took too long to check.'))), longestMs)
    worker.on('message', taken).on('exit', gone)
    worker.postMessage(question)
  })
}
