import { describe, expect, it } from 'vitest'
import { parseQuery, printQuery } from './query.ts'

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
    ['a=1&A=2', 'a', ['1']],
    ['=x', '', ['x']],
    ['&&a=1&', 'a', ['1']],
    ['a%3Db=1', 'a=b', ['1']],
    ['a=1%3Bb', 'a', ['1;b']],
    ['a=%C3%BC', 'a', ['ü']],
    ['__proto__=1', '__proto__', ['1']],
    ['', 'a', []],
  ])('%s gives %s the values %j', (text, name, values) => {
    const query = parseQuery(text)
    expect(query.all(name)).toEqual(values)
    expect(query.get(name)).toBe(values[0])
    expect(query.has(name)).toBe(values.length > 0)
  })

  it.each(['a=%zz', 'a=%', 'a=%f', 'a=%ff', '%ff=a', 'a=1&b=%C3', 'a=%C0%AF', 'a=%ED%A0%80', 'a=1;b=2', ';', 'a;b'])(
    '%s is refused',
    (text) => {
      expect(() => parseQuery(text)).toThrow(expect.objectContaining({ code: 400 }))
    },
  )

  it('with more than 10,000 parameters is refused, empty ones included', () => {
    expect(parseQuery('a&'.repeat(9_999)).all('a')).toHaveLength(9_999)
    for (const text of ['a&'.repeat(10_000), '&'.repeat(400_000)]) {
      expect(() => parseQuery(text)).toThrow(expect.objectContaining({ code: 400 }))
    }
  })

  it.each(['a=1', 'a', '=x', 'a=1&a=2&b=', 'a=b+c%3Dd%26e', 'a=%2525', 'labelSelector=a+in+%28b%2Cc%29', '%C3%BC=%00'])(
    '%s is the same when it is printed again',
    (text) => {
      const { pairs } = parseQuery(text)
      expect(parseQuery(printQuery(pairs).slice(1)).pairs).toEqual(pairs)
    },
  )
})
