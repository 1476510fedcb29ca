import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Plan, Trouble } from '../contract.ts'
import { printName } from '../names/names.ts'
import type { Refusal } from '../policy/contract.ts'
import { noticeOf } from '../policy/notice.ts'
import { SyncTrouble } from './failures/failure.ts'
import type { KindParts } from './kind-parts.ts'
import type { StateTable } from './states.ts'
import type { WriteVerb } from './writes/commit.ts'
import type { ObjectMemory } from './writes/object-memory.ts'

interface Refused {
  readonly notice: Trouble
  /** The number of fields, labels and annotations. */
  readonly count: number
}

/** The result of checking one object. */
export interface Outcome {
  readonly plan: Plan
  readonly virtual: KubeObject | undefined
  /** The versions of both sides when the plan was made. */
  readonly versions: string
  /** The parts that the policy keeps from the host. */
  readonly refusals: readonly Refusal[]
}

/** Reports the state of one kind's objects: in their states, in Events and in metrics. */
export class Outcomes {
  readonly #states: StateTable
  readonly #memory: ObjectMemory
  readonly #parts: Pick<KindParts, 'clock' | 'observer' | 'log'>

  constructor(states: StateTable, memory: ObjectMemory, parts: Pick<KindParts, 'clock' | 'observer' | 'log'>) {
    this.#states = states
    this.#memory = memory
    this.#parts = parts
  }

  wrote(name: ObjectName, side: 'virtual' | 'host', verb: WriteVerb): void {
    const { clock, observer } = this.#parts
    this.#states.wrote(printName(name), { side, verb, atMs: clock.now() })
    observer.wrote(side, verb)
  }

  /** Called when the plan was carried out. */
  carriedOut(name: ObjectName, outcome: Outcome): void {
    const { plan, virtual, versions } = outcome
    const text = printName(name)
    const refused = this.#tellRefusals(text, outcome)
    switch (plan.action) {
      case 'fail':
        throw new SyncTrouble(plan.trouble)
      case 'wait':
        this.#states.set(text, 'waiting', plan.trouble)
        break
      case 'leave out':
        this.#states.forget(text)
        break
      case 'delete':
      case 'end':
        this.#states.set(text, 'waiting', { reason: 'Removing', message: plan.because })
        break
      case 'release':
        this.#states.set(text, 'waiting', { reason: 'Removing', message: 'the copy is gone' })
        break
      case 'hold back':
        this.#states.set(text, 'failing', plan.trouble, refused?.count)
        this.#memory.setInStep(text, versions)
        break
      case 'create':
        this.#states.set(text, 'in-step', refused?.notice, refused?.count)
        break
      case 'update':
      case 'nothing':
        if (plan.trouble !== undefined) this.failing(name, virtual, plan.trouble)
        else this.#states.set(text, 'in-step', refused?.notice, refused?.count)
        if (plan.action === 'nothing' && plan.trouble === undefined) this.#memory.setInStep(text, versions)
    }
  }

  /** A retry would change nothing; a change of either side or of the configuration does. */
  failing(name: ObjectName, virtual: KubeObject | undefined, trouble: Trouble): void {
    this.#states.set(printName(name), 'failing', trouble)
    this.#parts.observer.trouble(virtual, trouble)
  }

  /** Called when the object will be retried. */
  failed(name: ObjectName, virtual: KubeObject | undefined, trouble: Trouble): void {
    this.#parts.log.warn('an object is not in step', { object: printName(name), ...trouble })
    this.failing(name, virtual, trouble)
  }

  forget(name: ObjectName): void {
    this.#memory.forget(printName(name))
    this.#states.forget(printName(name))
  }

  /** Parts that the policy keeps from the host are reported once, and shown as long as it does. */
  #tellRefusals(text: string, { plan, virtual, refusals }: Outcome): Refused | undefined {
    const notice = noticeOf(refusals, plan.action === 'hold back')
    if (this.#memory.isNews(text, notice?.message) && notice !== undefined) {
      this.#parts.observer.refused(virtual, notice, refusals)
    }
    return notice && { notice, count: refusals.length }
  }
}
