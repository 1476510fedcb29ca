import type { CelLibrary } from '../environment.ts'
import { conversions } from './conversions.ts'
import { operators } from './operators.ts'
import { textFunctions } from './texts.ts'
import { timeFunctions } from './time-functions.ts'

/** What every expression may use. */
export const standardLibraries: readonly CelLibrary[] = [operators, conversions, textFunctions, timeFunctions]
