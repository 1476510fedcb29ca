import { expect, it } from 'vitest'
import { requireSelected } from './require-selected.ts'

const made = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web-1', labels: { app: 'web', 'pod-template-hash': '1' } },
}

it('refuses to create an object that the selector of its owner does not match', () => {
  expect(() => requireSelected({ matchLabels: { app: 'web' } }, made)).not.toThrow()
  expect(() => requireSelected({ matchLabels: { app: 'web', 'pod-template-hash': 'x' } }, made)).toThrow(
    'spec.selector does not select the ReplicaSet that is made for it: leave out labels that a controller sets',
  )
  expect(() => requireSelected(undefined, made)).toThrow('does not select')
})
