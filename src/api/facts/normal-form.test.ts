import { describe, expect, it } from 'vitest'
import { normalForm } from './normal-form.ts'

const core = 'k8s.io.api.core.v1'
const normal = (message: string, body: object) =>
  normalForm(message, { apiVersion: 'v1', kind: 'K', metadata: {}, ...body })

describe('the normal form', () => {
  it.each([
    [
      'omits empty fields',
      'ServiceAccount',
      { secrets: [], metadata: { labels: {}, finalizers: [], name: 'a' } },
      {
        metadata: { name: 'a' },
      },
    ],
    [
      'tells a zero that means something from absence',
      'ServiceAccount',
      { automountServiceAccountToken: false },
      {
        metadata: {},
        automountServiceAccountToken: false,
      },
    ],
    [
      'includes fields that are always shown',
      'Endpoints',
      { subsets: [{ ports: [{ port: 0, name: '' }], addresses: [null] }] },
      {
        metadata: {},
        subsets: [{ ports: [{ port: 0 }], addresses: [{ ip: '' }] }],
      },
    ],
    [
      'reaches into inlined messages',
      'Pod',
      { spec: { containers: [], volumes: [{ name: 'a', configMap: { name: '', items: [] } }] } },
      {
        metadata: {},
        spec: { containers: null, volumes: [{ name: 'a', configMap: {} }] },
        status: {},
      },
    ],
    [
      'keeps a request to forget managers',
      'Secret',
      { metadata: { managedFields: [], annotations: {} } },
      {
        metadata: { managedFields: [] },
      },
    ],
  ])('%s', (_, message, body, expected) => {
    expect(normal(`${core}.${message}`, body)).toEqual({ apiVersion: 'v1', kind: 'K', ...expected })
  })

  it('is the object itself if it has that form already', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { a: 'b' } }, data: { a: '' } }
    expect(normalForm(`${core}.ConfigMap`, object)).toBe(object)
  })

  it('shares what does not change', () => {
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'Yg==' }, stringData: {} }
    const normalized = normalForm(`${core}.Secret`, object)
    expect(normalized).toEqual({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'Yg==' } })
    expect(normalized.data).toBe(object.data)
  })

  it('is reached in one step', () => {
    const once = normal(`${core}.Pod`, { spec: { containers: [{ name: 'a', ports: [{}] }] } })
    expect(normalForm(`${core}.Pod`, once)).toBe(once)
  })
})
