import type { Chance } from '../../../support/chance.ts'
import { hasEnded, isReady, type Seen } from '../checker/history.ts'
import { jobPodLabel } from './objects.ts'
import { mergePatch, pods } from './paths.ts'
import type { Servers } from './servers.ts'

const intervalMs = 40
const mostAtOnce = 20

type Step = 'start' | 'succeed' | 'fail' | 'remove'

/** The time of the next step of a Pod in some state. */
interface Appointment {
  readonly step: Step
  readonly atMs: number
}

export interface KubeletOptions {
  readonly pods: () => readonly Seen[]
  readonly servers: Servers
  readonly chance: Chance
  /** The probability that a Pod of a Job fails. */
  readonly failures: number
}

/** Plays a node: Pods start, end and disappear, each after a while, repeated until a server has accepted it. */
export class Kubelet {
  readonly #options: KubeletOptions
  readonly #appointments = new Map<string, Appointment>()
  readonly #busy = new Set<string>()
  readonly #timer: NodeJS.Timeout

  constructor(options: KubeletOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), intervalMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const nowMs = performance.now()
    for (const pod of this.#options.pods()) {
      if (this.#busy.size >= mostAtOnce) return
      const { uid } = pod.metadata
      const appointment = this.#appointmentOf(pod, nowMs)
      if (appointment !== undefined && appointment.atMs <= nowMs && !this.#busy.has(uid)) {
        void this.#take(pod, appointment.step)
      }
    }
  }

  #appointmentOf(pod: Seen, nowMs: number): Appointment | undefined {
    const { chance, failures } = this.#options
    const { uid } = pod.metadata
    const step = nextStep(pod, () => chance.next() < failures)
    const known = this.#appointments.get(uid)
    if (step === undefined) return undefined
    if (known !== undefined && isSameStep(known.step, step)) return known
    const appointment = { step, atMs: nowMs + chance.between(20, 400) }
    this.#appointments.set(uid, appointment)
    return appointment
  }

  async #take(pod: Seen, step: Step): Promise<void> {
    const { servers } = this.#options
    const { uid, name } = pod.metadata
    this.#busy.add(uid)
    if (step === 'remove') {
      await servers.ask('DELETE', `${pods}/${name}`, { gracePeriodSeconds: 0, preconditions: { uid } })
    } else {
      await servers.ask('PATCH', `${pods}/${name}/status`, { metadata: { uid }, status: statusAfter(step) }, mergePatch)
    }
    this.#busy.delete(uid)
  }
}

function nextStep(pod: Seen, fails: () => boolean): Step | undefined {
  if (pod.metadata.deletionTimestamp !== undefined) return 'remove'
  if (hasEnded(pod)) return undefined
  if (!isReady(pod)) return 'start'
  if (pod.metadata.labels?.[jobPodLabel] === undefined) return undefined
  return fails() ? 'fail' : 'succeed'
}

/** The result of a Pod of a Job is decided once. */
function isSameStep(known: Step, next: Step): boolean {
  return known === next || (known === 'fail' && next === 'succeed') || (known === 'succeed' && next === 'fail')
}

function statusAfter(step: Step): object {
  const phase = step === 'start' ? 'Running' : step === 'succeed' ? 'Succeeded' : 'Failed'
  return { phase, conditions: [{ type: 'Ready', status: step === 'start' ? 'True' : 'False' }] }
}
