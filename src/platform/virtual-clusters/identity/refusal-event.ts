import { newEvent } from '../../../api/core/events/new-event.ts'
import type { Kind } from '../../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../../api/object.ts'
import { timestamp } from '../../../base/clock.ts'
import { eventNameFor } from '../../event-name.ts'
import type { ProofRefusal } from './proof-refused.ts'

export function refusalReason({ standing }: ProofRefusal): 'ProofMissing' | 'ProofWrong' {
  return standing === 'missing' ? 'ProofMissing' : 'ProofWrong'
}

export function refusalMessage({ asked, keyName, standing, name }: ProofRefusal): string {
  const what = asked === 'link' ? 'to link' : 'to register'
  const how = standing === 'missing' ? 'without its proof' : 'with a proof that is not its own'
  return `A caller with the access key ${keyName} asked ${what} as ${name} ${how}, and was refused.`
}

/** The name follows from the content, so that repetitions are counted. */
export function refusalEvent(kind: Kind, { metadata }: KubeObject, refusal: ProofRefusal, nowMs: number): KubeObject {
  const { namespace = '', name = '', uid = '' } = metadata
  const { asked, keyName } = refusal
  const reason = refusalReason(refusal)
  return newEvent({
    name: eventNameFor(name, [uid, reason, asked, keyName]),
    about: { kind: kind.kind, apiVersion: apiVersionOf(kind), namespace, name, uid },
    type: 'Warning',
    reason,
    message: refusalMessage(refusal),
    component: 'tenant-platform',
    firstMs: nowMs,
    lastMs: nowMs,
    count: 1,
  })
}

/** Counts further occurrences. */
export function countedAgain(event: KubeObject, times: number, nowMs: number): KubeObject {
  const count = typeof event.count === 'number' ? event.count : 1
  return { ...event, count: count + times, lastTimestamp: timestamp(nowMs) }
}
