import { describe, expect, it } from 'vitest'
import { projectNamespace, projectOfNamespace } from './request.ts'

describe('the project of a namespace', () => {
  it.each([
    ['p-shop', 'shop'],
    ['p-p-shop', 'p-shop'],
    ['p-', undefined],
    ['p', undefined],
    ['', undefined],
    ['default', undefined],
    ['shop', undefined],
    ['ap-shop', undefined],
  ])('of %j is %j', (namespace, project) => {
    expect(projectOfNamespace(namespace)).toBe(project)
    if (project !== undefined) expect(projectNamespace(project)).toBe(namespace)
  })
})
