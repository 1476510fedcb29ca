import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Batch, SandboxImage, WorkerMessage, WorkerSettings } from './protocol.ts'
import { Pulse } from './sandbox/pulse.js'
// Not used here: the import ensures that the worker is compiled together with this file.
import type {} from './sandbox/worker.js'

export interface ThreadOptions {
  readonly image: SandboxImage | undefined
  readonly maxInterrupts: number
  readonly memoryBytes: number
  readonly translate: (virtualService: string) => string
}

export interface ThreadEvents {
  readonly onReady: (image: SandboxImage) => void
  readonly onResults: (batch: number, text: string) => void
  /** The thread ended unexpectedly. Not called after `end`. */
  readonly onDeath: (reason: Error) => void
}

/** So large that the sandbox's own stack limit, which it survives, is always reached first. */
const stackSizeMb = 16
const heapSizeMb = 256

/** The thread in which expressions run. It keeps the process alive only while it is held. */
export class SandboxThread {
  readonly pulse = new Pulse()
  readonly #worker: Worker
  readonly #answers: MessagePort
  #ready = false
  #ended = false

  constructor({ image, maxInterrupts, memoryBytes, translate }: ThreadOptions, events: ThreadEvents) {
    const { port1, port2 } = new MessageChannel()
    const settings: WorkerSettings = { image, pulse: this.pulse.memory, answers: port2, maxInterrupts, memoryBytes }
    this.#answers = port1
    // Plain JavaScript beside this file, in the sources as in the build.
    this.#worker = new Worker(new URL('./sandbox/worker.js', import.meta.url), {
      name: 'expression sandbox',
      workerData: settings,
      transferList: [port2],
      env: {},
      execArgv: [],
      resourceLimits: { stackSizeMb, maxOldGenerationSizeMb: heapSizeMb },
    })
    this.#worker.unref()
    this.#listen(translate, events)
  }

  /** Whether it has started waiting for batches. */
  get ready(): boolean {
    return this.#ready
  }

  post(batch: Batch): void {
    this.#worker.postMessage(batch)
  }

  hold(): void {
    this.#worker.ref()
  }

  release(): void {
    this.#worker.unref()
  }

  /** Terminates the thread whatever it is doing. */
  async end(): Promise<void> {
    this.#ended = true
    this.#answers.close()
    await this.#worker.terminate()
  }

  #listen(translate: ThreadOptions['translate'], { onReady, onResults, onDeath }: ThreadEvents): void {
    let reason = new Error('The thread of the expression sandbox has ended.')
    this.#worker.on('message', (message: WorkerMessage) => {
      if (this.#ended) return
      switch (message.type) {
        case 'ready':
          this.#ready = true
          return onReady(message.image)
        case 'results':
          return onResults(message.batch, message.text)
        case 'question':
          return this.#reply(translate(message.virtualService))
      }
    })
    this.#worker.on('error', (error) => {
      reason = error instanceof Error ? error : new Error(String(error))
    })
    this.#worker.on('exit', () => {
      if (this.#ended) return
      this.#ended = true
      this.#answers.close()
      onDeath(reason)
    })
  }

  #reply(answer: string): void {
    this.#answers.postMessage(answer)
    this.pulse.announceAnswer()
  }
}
