import { type CelFunction, type CelLibrary, memberOverload } from '../environment.ts'
import { durationType, intType, stringType, timestampType } from '../type.ts'
import { type CelValue, noSuchOverload } from '../value.ts'
import { type CalendarTime, calendarTime } from './time.ts'

/** Parts of a time, in UTC or the named zone. */
const parts: readonly (readonly [name: string, id: string, part: (time: CalendarTime) => number])[] = [
  ['getFullYear', 'timestamp_to_year', ({ year }) => year],
  ['getMonth', 'timestamp_to_month', ({ month }) => month],
  ['getDayOfYear', 'timestamp_to_day_of_year', ({ dayOfYear }) => dayOfYear],
  ['getDayOfMonth', 'timestamp_to_day_of_month', ({ day }) => day - 1],
  ['getDate', 'timestamp_to_day_of_month_1_based', ({ day }) => day],
  ['getDayOfWeek', 'timestamp_to_day_of_week', ({ dayOfWeek }) => dayOfWeek],
  ['getHours', 'timestamp_to_hours', ({ hours }) => hours],
  ['getMinutes', 'timestamp_to_minutes', ({ minutes }) => minutes],
  ['getSeconds', 'timestamp_to_seconds', ({ seconds }) => seconds],
  ['getMilliseconds', 'timestamp_to_milliseconds', ({ milliseconds }) => milliseconds],
]

const durationUnits: readonly (readonly [name: string, id: string, nanoseconds: bigint])[] = [
  ['getHours', 'duration_to_hours', 3_600_000_000_000n],
  ['getMinutes', 'duration_to_minutes', 60_000_000_000n],
  ['getSeconds', 'duration_to_seconds', 1_000_000_000n],
  ['getMilliseconds', 'duration_to_milliseconds', 1_000_000n],
]

function timestampFunction([name, id, part]: (typeof parts)[number]): CelFunction {
  const call: Parameters<typeof memberOverload>[3] = ([time = null, zone = 'UTC'], meter) => {
    if (!isTimestamp(time) || typeof zone !== 'string') return noSuchOverload
    const found = calendarTime(time.nanoseconds, zone, meter)
    return typeof found === 'object' && found !== null && 'year' in found ? BigInt(part(found)) : found
  }
  return {
    name,
    overloads: [
      memberOverload(id, [timestampType], intType, call),
      memberOverload(`${id}_with_tz`, [timestampType, stringType], intType, call),
    ],
  }
}

function isTimestamp(value: CelValue): value is Extract<CelValue, { kind: 'timestamp' }> {
  return typeof value === 'object' && value?.kind === 'timestamp'
}

function durationFunction([name, id, unit]: (typeof durationUnits)[number]): CelFunction {
  return {
    name,
    overloads: [
      memberOverload(id, [durationType], intType, ([value]) =>
        typeof value === 'object' && value?.kind === 'duration' ? value.nanoseconds / unit : noSuchOverload,
      ),
    ],
  }
}

export const timeFunctions: CelLibrary = {
  functions: [...parts.map(timestampFunction), ...durationUnits.map(durationFunction)],
}
