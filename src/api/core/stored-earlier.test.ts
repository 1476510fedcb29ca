import { expect, it } from 'vitest'
import { previewCreate, type SentObject } from '../../../tests/support/strategy-steps.ts'
import { job } from '../batch/job.ts'
import type { FieldError } from '../field-error.ts'
import type { Kind } from '../kind.ts'
import { networkPolicy } from '../networking/network-policy.ts'
import type { KubeObject } from '../object.ts'
import { newErrors } from './new-errors.ts'
import { replicationController } from './replication-controller.ts'

/** Kinds whose changes are checked against all of their rules again. */

function changeErrors({ strategy }: Kind, after: KubeObject, before: KubeObject): readonly FieldError[] {
  const found = strategy.validate === undefined ? [] : newErrors(strategy.validate, after, before)
  return [...found, ...(strategy.validateUpdate?.(after, before) ?? [])]
}

const metadata = { name: 'n', namespace: 'a', uid: 'u' }
const container = { name: 'c', image: 'i:1' }
const templateOf = (env: object, more: object) => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ ...container, env: [env] }], ...more },
})

const wrongEnv = { name: 'A', valueFrom: { fieldRef: { fieldPath: 'nowhere' } } }
const otherEnv = { name: '', value: 'x' }
const policyExcept = (exception: string) => ({
  podSelector: {},
  ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: [exception] } }] }],
})

const cases: readonly (readonly [Kind, object, object])[] = [
  [networkPolicy, policyExcept('11.0.0.0/8'), policyExcept('12.0.0.0/8')],
  [
    replicationController,
    { selector: { a: 'b' }, template: templateOf(wrongEnv, {}) },
    { selector: { a: 'b' }, template: templateOf(otherEnv, {}) },
  ],
  [
    job,
    { template: templateOf(wrongEnv, { restartPolicy: 'Never' }) },
    { template: templateOf(otherEnv, { restartPolicy: 'Never' }) },
  ],
]

it.each(cases)(
  'case %#: an invalid value stored by an earlier version may stay, but not get worse',
  (kind, wrong, other) => {
    const made = (spec: object): SentObject => ({ metadata, spec })
    const [old, worse] = [previewCreate(kind, made(wrong)), previewCreate(kind, made(other))]
    expect(old.errors).not.toEqual([])
    const relabeled = { ...old.object, metadata: { ...old.object.metadata, labels: { x: 'y' } } }
    expect(changeErrors(kind, relabeled, old.object)).toEqual([])
    expect(changeErrors(kind, worse.object, old.object)).not.toEqual([])
  },
)
