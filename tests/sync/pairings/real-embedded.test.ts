import { syncSuite } from '../support/pairing-suite.ts'

syncSuite({ virtual: 'real', host: 'embedded' })
