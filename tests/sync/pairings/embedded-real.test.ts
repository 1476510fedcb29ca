import { syncSuite } from '../support/pairing-suite.ts'

syncSuite({ virtual: 'embedded', host: 'real' })
