import { describe, expect, it } from 'vitest'
import { type FieldFact, isScalar } from '../../../api/facts/message.ts'
import { messageNamed } from '../../../api/facts/messages.ts'
import type { FieldDecision, FieldDecisions } from './known-fields.ts'
import { podSpecFields } from './pod-fields.ts'

/** The fields of a message in their JSON form. */
function jsonFields(message: string): readonly FieldFact[] {
  return messageNamed(message).fields.flatMap((field) => (field.isInlined ? jsonFields(field.type) : [field]))
}

function hasFields({ type }: FieldFact): boolean {
  return !isScalar(type) && messageNamed(type).form === undefined
}

/** Where the decisions differ from the fields in the tables of Kubernetes. */
function differences(message: string, decisions: FieldDecisions, path: string): readonly string[] {
  const fields = jsonFields(message)
  const names = new Set(fields.map(({ name }) => name))
  return [
    ...Object.keys(decisions)
      .filter((name) => !names.has(name))
      .map((name) => `${path}.${name} does not exist`),
    ...fields.flatMap((field) => differencesAt(field, decisions[field.name], `${path}.${field.name}`)),
  ]
}

function differencesAt(field: FieldFact, decision: FieldDecision | undefined, path: string): readonly string[] {
  switch (decision?.type) {
    case undefined:
      return [`${path} is not decided`]
    case 'refused':
    case 'dropped':
      return []
    case 'value':
      return hasFields(field) ? [`${path} has fields that are not decided`] : []
    case 'object':
    case 'list': {
      const isSameShape = hasFields(field) && (field.shape === 'list') === (decision.type === 'list')
      return isSameShape ? differences(field.type, decision.fields, path) : [`${path} has another form`]
    }
  }
}

describe('the fields of a Pod', () => {
  it('all have a decision, at every depth that Kubernetes has', () => {
    expect(differences('k8s.io.api.core.v1.PodSpec', podSpecFields, 'spec')).toEqual([])
  })

  it('would be reported if a decision were missing', () => {
    const { hostPID: _, ...others } = podSpecFields
    const extra = { ...others, hostEverything: { type: 'value' } as const, securityContext: { type: 'value' } as const }
    expect(differences('k8s.io.api.core.v1.PodSpec', extra, 'spec')).toEqual([
      'spec.hostEverything does not exist',
      'spec.hostPID is not decided',
      'spec.securityContext has fields that are not decided',
    ])
  })
})
