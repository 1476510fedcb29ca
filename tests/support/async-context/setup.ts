import { afterAll } from 'vitest'
import { endStorages } from './storages.ts'

/** Loaded before every suite: none leaves to the next one what follows promises. */
endStorages()
afterAll(endStorages)
