import { describe, expect, it } from 'vitest'
import { readRequestInfo } from './request-info.ts'

const nameOf = (fieldSelector: string): string => {
  const info = readRequestInfo('GET', `/api/v1/configmaps?fieldSelector=${encodeURIComponent(fieldSelector)}`)
  return info.form === 'resource' ? info.name : 'no resource'
}

describe('the name by which a list is authorized', () => {
  it.each([
    ['metadata.name=a', 'a'],
    ['metadata.name==a', 'a'],
    ['type=x,metadata.name=a', 'a'],
    ['metadata.name!=a', ''],
    ['metadata.name=', ''],
    ['metadata.name=..', ''],
    ['spec.metadata.name=a', ''],
  ])('%s is about %j', (selector, name) => {
    expect(nameOf(selector)).toBe(name)
  })

  it('is not taken from the value of another term, however it is escaped', () => {
    expect(nameOf(String.raw`reason!=x\,metadata.name=allowed`)).toBe('')
  })
})
