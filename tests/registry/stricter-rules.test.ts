import { afterEach, beforeEach, expect, it } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { invalidField } from '../../src/api/field-error.ts'
import type { Kind } from '../../src/api/kind.ts'
import type { KubeObject } from '../../src/api/object.ts'
import {
  bodyOf,
  configMap,
  namespaceNamed,
  startRegistry,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

/** Objects that an earlier version stored, without the present rules and default. */

let isStrict: boolean
let world: TestRegistry

beforeEach(async () => {
  isStrict = false
  world = await startRegistry(coreKinds().map(withLaterRule))
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
  await world
    .resource('configmaps')
    .create({ namespace: 'default' }, bodyOf(configMap('a', { color: 'mud' })), writeRequest())
  isStrict = true
})

afterEach(() => world.stop())

function withLaterRule(kind: Kind): Kind {
  if (kind.kind !== 'ConfigMap') return kind
  const validate = (object: KubeObject) => {
    const { color } = Object(object.data)
    return isStrict && color !== 'blue' ? [invalidField('data.color', color, 'must be blue')] : []
  }
  const defaults = (object: KubeObject) => {
    const normal = kind.strategy.defaults?.(object) ?? object
    return isStrict ? { ...normal, data: { shade: 'none', ...Object(normal.data) } } : normal
  }
  const validateUpdate = (object: KubeObject, old: KubeObject) => {
    const [{ shade: now }, { shade: before }] = [Object(object.data), Object(old.data)]
    return now === before ? [] : [invalidField('data.shade', now, 'field is immutable')]
  }
  return { ...kind, strategy: { ...kind.strategy, defaults, validate, validateUpdate } }
}

function update(object: KubeObject) {
  return world.resource('configmaps').update({ namespace: 'default', name: 'a' }, bodyOf(object), writeRequest())
}

it('can still be written if the invalid fields are unchanged', async () => {
  const { document } = await update(configMap('a', { color: 'mud' }, { labels: { checked: 'yes' } }))
  expect(document.object.metadata.labels).toEqual({ checked: 'yes' })
})

it('cannot become invalid in another way', async () => {
  await expect(update(configMap('a', { color: 'ash' }))).rejects.toMatchObject({ status: { code: 422 } })
})

it('must follow the rule once they are valid', async () => {
  await update(configMap('a', { color: 'blue' }))
  await expect(update(configMap('a', { color: 'mud' }))).rejects.toMatchObject({ status: { code: 422 } })
})

it('get newer defaults, even in immutable fields', async () => {
  const { document } = await update(configMap('a', { color: 'blue' }))
  expect(document.object.data).toEqual({ shade: 'none', color: 'blue' })
})

it('do not get other values there', async () => {
  const shaded = configMap('a', { color: 'blue', shade: 'dark' })
  await expect(update(shaded)).rejects.toMatchObject({ status: { code: 422 } })
})
