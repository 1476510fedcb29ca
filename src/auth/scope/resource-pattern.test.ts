import { describe, expect, it } from 'vitest'
import { allowsResource, resourcesOf, resourcesWithin } from './resource-pattern.ts'

describe('resources of a rule', () => {
  it.each<readonly [readonly string[], string, string, boolean]>([
    [[], 'pods', '', true],
    [['*'], 'pods', 'log', true],
    [['pods'], 'pods', '', true],
    [['pods'], 'pods', 'log', false],
    [['pods'], 'services', '', false],
    [['pods/log'], 'pods', 'log', true],
    [['pods/log'], 'pods', 'exec', false],
    [['pods/log'], 'pods', '', false],
    [['pods/*'], 'pods', 'log', true],
    [['pods/*'], 'pods', '', false],
    [['pods/*'], 'services', 'proxy', false],
    [['*/scale'], 'deployments', 'scale', true],
    [['*/scale'], 'deployments', 'status', false],
    [['*/*'], 'pods', 'log', true],
    [['*/*'], 'pods', '', false],
    [['/log'], 'pods', 'log', false],
    [['pods/'], 'pods', '', false],
    [[''], 'pods', '', false],
  ])('%j allow %s/%s: %j', (list, resource, subresource, allowed) => {
    expect(allowsResource(resourcesOf(list), resource, subresource)).toBe(allowed)
  })

  it.each<readonly [readonly string[], readonly string[], boolean]>([
    [['pods'], [], true],
    [[], [], true],
    [[], ['pods'], false],
    [['*'], ['pods', '*/*'], false],
    [['pods'], ['pods'], true],
    [['pods', 'services'], ['pods'], false],
    [['pods/log'], ['pods/*'], true],
    [['pods'], ['pods/*'], false],
    [['pods/*'], ['pods/log'], false],
    [['deployments/scale'], ['*/scale'], true],
    [['*/scale'], ['deployments/scale'], false],
    [['*/scale'], ['*/*'], true],
  ])('%j are within %j: %j', (inner, outer, isWithin) => {
    expect(resourcesWithin(resourcesOf(inner), resourcesOf(outer))).toBe(isWithin)
  })
})
