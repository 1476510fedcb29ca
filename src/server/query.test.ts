import { describe, expect, it } from 'vitest'
import { parseQuery } from './query.ts'

describe('the query', () => {
  it.each([
    ['a=1', 'a', ['1']],
    ['a=1&a=2', 'a', ['1', '2']],
    ['a', 'a', ['']],
    ['a=', 'a', ['']],
    ['a=b+c%3Dd', 'a', ['b c=d']],
    ['%61=1', 'a', ['1']],
    ['a=b=c', 'a', ['b=c']],
    ['b=1', 'a', []],
    ['a=%zz&a=2', 'a', ['2']],
    ['a=1;b=2', 'a', []],
    ['__proto__=1', '__proto__', ['1']],
    ['', 'a', []],
  ])('%s gives %s the values %j', (text, name, values) => {
    const query = parseQuery(text)
    expect(query.all(name)).toEqual(values)
    expect(query.get(name)).toBe(values[0])
    expect(query.has(name)).toBe(values.length > 0)
  })
})
