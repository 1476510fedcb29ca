import { describe, expect, it } from 'vitest'
import { placeOf, valueAtPlace, withoutPlace } from './managed-field.ts'
import { resolveConflicts } from './three-way.ts'

const object = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'demo', labels: { app: 'a', 'app.kubernetes.io/name': 'tenant' }, finalizers: ['x', 'y'] },
  spec: {
    replicas: 1,
    containers: [
      { name: 'sidecar', image: 'a' },
      { name: 'tenant', image: 'b' },
    ],
    ports: [{ port: 443, protocol: 'TCP', name: 'https' }],
  },
}

describe('a field that a server names', () => {
  it.each<[string, readonly (string | number)[] | undefined]>([
    ['.spec.replicas', ['spec', 'replicas']],
    ['.metadata.labels.app', ['metadata', 'labels', 'app']],
    ['.metadata.labels.app.kubernetes.io/name', ['metadata', 'labels', 'app.kubernetes.io/name']],
    ['.spec.containers[name="tenant"].image', ['spec', 'containers', 1, 'image']],
    ['.spec.ports[port=443,protocol="TCP"].name', ['spec', 'ports', 0, 'name']],
    ['.metadata.finalizers[="y"]', ['metadata', 'finalizers', 1]],
    ['.spec.containers[0].name', ['spec', 'containers', 0, 'name']],
    ['.spec.containers[name="none"].image', undefined],
    ['.spec.containers[9].image', undefined],
    ['.spec.none', undefined],
    ['.spec.replicas.deeper', undefined],
    ['.__proto__.x', undefined],
    ['.constructor', undefined],
    ['[', undefined],
  ])('%s is found', (field, place) => {
    expect(placeOf(object, field)).toEqual(place)
  })

  it('can be removed without changing anything else', () => {
    const place = ['spec', 'containers', 1, 'image']
    const without = withoutPlace(object, place)
    expect(valueAtPlace(without, place)).toBeUndefined()
    expect(without.spec.containers).toEqual([{ name: 'sidecar', image: 'a' }, { name: 'tenant' }])
    expect(withoutPlace(object, ['metadata', 'finalizers', 0]).metadata.finalizers).toEqual(['y'])
    expect(withoutPlace(object, ['spec', 'none', 'deeper'])).toEqual(object)
  })
})

describe('a field that another manager has changed', () => {
  const conflict = { field: '.spec.replicas', message: 'conflict with "kubectl-scale"' }

  it('stays theirs if our value is unchanged', () => {
    const { object: applied, kept } = resolveConflicts(object, object, [conflict])
    expect(kept).toEqual([conflict])
    expect(applied.spec).not.toHaveProperty('replicas')
    expect(applied).toMatchObject({ spec: { ports: object.spec.ports } })
  })

  it('is the field itself, without its parents', () => {
    const around = { field: '.spec', message: '' }
    expect(resolveConflicts(object, object, [around, conflict])).toEqual(resolveConflicts(object, object, [conflict]))
  })

  it('becomes ours if our value has changed', () => {
    const last = { ...object, spec: { ...object.spec, replicas: 2 } }
    expect(resolveConflicts(object, last, [conflict])).toEqual({ object, kept: [] })
  })

  it('becomes ours if we never set it', () => {
    expect(resolveConflicts(object, undefined, [conflict])).toEqual({ object, kept: [] })
    expect(resolveConflicts(object, { ...object, spec: {} }, [conflict])).toEqual({ object, kept: [] })
  })
})
