import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, invalidFieldAs, notSupportedField } from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import { shortened } from '../human/shortened.ts'
import type { CSIDriver, CSIDriverSpec } from '../types/storage-v1.ts'

const lifecycleModes = ['Ephemeral', 'Persistent']
const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType']
const minTokenSeconds = 600
const maxTokenSeconds = 2 ** 32

export function validateDriver({ spec }: CSIDriver): readonly FieldError[] {
  return [
    ...validatePolicy('spec.fsGroupPolicy', spec.fsGroupPolicy),
    ...validateTokens('spec.tokenRequests', spec.tokenRequests ?? []),
    ...(spec.volumeLifecycleModes ?? [])
      .filter((mode) => !lifecycleModes.includes(mode))
      .map((mode) => notSupportedField('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral'])),
  ]
}

function validatePolicy(field: string, policy: string | undefined): readonly FieldError[] {
  if (policy === undefined) return []
  return groupPolicies.includes(policy) ? [] : [notSupportedField(field, policy, groupPolicies)]
}

function validateTokens(field: string, requests: NonNullable<CSIDriverSpec['tokenRequests']>): readonly FieldError[] {
  const isTaken = repeated(requests.map(({ audience }) => audience))
  return requests.flatMap(({ audience, expirationSeconds }, index) =>
    isTaken[index]
      ? [duplicateField(`${field}[${index}].audience`, audience)]
      : validateLifetime(`${field}[${index}].expirationSeconds`, expirationSeconds),
  )
}

function validateLifetime(field: string, seconds: number | undefined): readonly FieldError[] {
  if (seconds === undefined) return []
  if (seconds < minTokenSeconds)
    return [invalidField(field, seconds, 'may not specify a duration less than 10 minutes')]
  if (seconds <= maxTokenSeconds) return []
  return [invalidField(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
}

export function validateDriverUpdate({ spec }: CSIDriver, { spec: old }: CSIDriver): readonly FieldError[] {
  const { attachRequired, volumeLifecycleModes } = spec
  return [
    ...(attachRequired === old.attachRequired
      ? []
      : [invalidField('spec.attachedRequired', attachRequired, 'field is immutable')]),
    ...(volumeLifecycleModes?.join() === old.volumeLifecycleModes?.join()
      ? []
      : [invalidFieldAs('spec.volumeLifecycleModes', printedModes(volumeLifecycleModes), 'field is immutable')]),
  ]
}

/** As Go prints them. */
function printedModes(modes: readonly string[] = []): string {
  const items = modes.map((mode) => quoted(shortened(mode)))
  return shortened(`[]storage.VolumeLifecycleMode{${items.join(', ')}}`)
}
