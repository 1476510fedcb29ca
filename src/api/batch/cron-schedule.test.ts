import { describe, expect, it } from 'vitest'
import { cronProblem, parseCron } from './cron-schedule.ts'

function fieldsOf(text: string) {
  const parsed = parseCron(text)
  if (!('schedule' in parsed) || parsed.schedule.type !== 'fields')
    throw new Error(`no fields: ${JSON.stringify(parsed)}`)
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parsed.schedule
  return [minute, hour, dayOfMonth, month, dayOfWeek]
}

describe('a schedule in five fields', () => {
  it.each([
    ['0 0 1 1 0', [0], [0], [1], [1], [0]],
    ['*/20 9-17/4 1,15 * *', [0, 20, 40], [9, 13, 17], [1, 15], 12, 7],
    ['50/5 ? ? JAN-mar Mon,fri', [50, 55], 24, 31, [1, 2, 3], [1, 5]],
    ['5,5,3 22/1 * */5 *', [3, 5], [22, 23], 31, [1, 6, 11], 7],
    ['  0\t0  * * *  ', [0], [0], 31, 12, 7],
    ['@yearly', [0], [0], [1], [1], 7],
    ['@annually', [0], [0], [1], [1], 7],
    ['@monthly', [0], [0], [1], 12, 7],
    ['@weekly', [0], [0], 31, 12, [0]],
    ['@daily', [0], [0], 31, 12, 7],
    ['@midnight', [0], [0], 31, 12, 7],
    ['@hourly', [0], 24, 31, 12, 7],
    [', 0 * * *', [], [0], 31, 12, 7],
    ['*/999999999999 0 * * *', [0], [0], 31, 12, 7],
  ])('%j matches this many values in each field', (text, ...expected) => {
    const fields = fieldsOf(text)
    for (const [index, values] of expected.entries()) {
      const field = fields[index]?.values
      if (typeof values === 'number') expect(field).toHaveLength(values)
      else expect(field).toEqual(values)
    }
  })

  it.each([
    ['* * * * *', [true, true, true, true, true]],
    ['*/1 ?/1 ? * ?', [true, true, true, true, true]],
    ['*/2 0-23 1,* */3 1', [false, false, true, false, false]],
  ])('%j leaves these fields open', (text, open) => {
    expect(fieldsOf(text).map(({ isOpen }) => isOpen)).toEqual(open)
  })

  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['0 0 0 * * *', 'expected exactly 5 fields, found 6: [0 0 0 * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['-1 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['* * * janx *', 'failed to parse int from janx: strconv.Atoi: parsing "janx": invalid syntax'],
    [`${'*,'.repeat(500)}* * * * *`, 'it is longer than 1000 characters'],
    ['@never', 'unrecognized descriptor: @never'],
    ['@every', 'unrecognized descriptor: @every'],
    ['@every 1x', 'unrecognized descriptor: @every 1x'],
  ])('%j is refused', (text, problem) => {
    expect(cronProblem(text)).toBe(problem)
  })
})

it.each([
  ['@every 1h30m', 5_400_000],
  ['@every 90s', 90_000],
  ['@every 1.5h', 5_400_000],
  ['@every 2500ms', 2_000],
  ['@every 10ms', 1_000],
  ['@every 3h5m1s999ms', 11_101_000],
])('%s is an interval of whole seconds', (text, everyMs) => {
  expect(parseCron(text)).toEqual({ schedule: { type: 'interval', everyMs } })
})
