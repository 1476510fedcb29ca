import { syncSuite } from '../support/pairing-suite.ts'

// In one virtual cluster: the start of another kube-apiserver would take a third of the second pairing.
syncSuite({ virtual: 'real', host: 'real' }, { virtual: 'real', host: 'embedded' })
