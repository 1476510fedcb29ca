import { describe, expect, it } from 'vitest'
import { shows, stepsOf } from './guide.ts'

const fence = '```'

describe('the steps of a guide', () => {
  it('are its shell blocks in order, each with the output that follows it', () => {
    const guide = [
      `${fence}sh`,
      'one',
      'two',
      fence,
      `${fence}text`,
      'shown',
      fence,
      'and',
      `${fence}sh`,
      'three',
      fence,
    ]
    expect(stepsOf(guide.join('\n'))).toEqual([
      { line: 2, commands: 'one\ntwo', output: 'shown', eventually: false, exitCode: 0 },
      { line: 10, commands: 'three', eventually: false, exitCode: 0 },
    ])
  })

  it('run as their remarks say', () => {
    const guide = ['<!-- instead: other -->', '<!-- eventually -->', '<!-- exit: 3 -->', `${fence}sh`, 'one', fence]
    expect(stepsOf(guide.join('\n'))).toEqual([{ line: 5, commands: 'other', eventually: true, exitCode: 3 }])
  })

  it('exclude blocks that the guide marks as not run', () => {
    const guide = [
      '*Not run by the tests: it needs a cloud.*',
      `${fence}sh`,
      'one',
      fence,
      `${fence}yaml`,
      'a: 1',
      fence,
    ]
    expect(stepsOf(guide.join('\n'))).toEqual([])
  })

  it('are those that need a node, or all others', () => {
    const guide = [`${fence}sh`, 'one', fence, '<!-- on a node -->', `${fence}sh`, 'two', fence].join('\n')
    expect(stepsOf(guide).map(({ commands }) => commands)).toEqual(['one'])
    expect(stepsOf(guide, 'on a node').map(({ commands }) => commands)).toEqual(['two'])
  })

  it('are refused if a block has no end', () => {
    expect(() => stepsOf(`${fence}sh\none`)).toThrow('line 2: the block has no end')
  })
})

describe('the output in a guide', () => {
  it.each([
    ['NAME   AGE\nred    12s\n', 'NAME AGE\nred …', true],
    ['red 12s', 'red …s', true],
    ['blue 12s', 'red …', false],
    ['b\na\n', 'a\nb', false],
    ['(a+b)', '(a+b)', true],
    ['(aab)', '(a+b)', false],
    ['a\nsomething else\nb', 'a\nb', true],
  ])('%j matches %j: %s', (output, expected, isShown) => {
    expect(shows(output, expected)).toBe(isShown)
  })
})
