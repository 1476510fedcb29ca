import { syncPolicyAttacks } from './attacks.ts'
import { namespaceAttacks } from './namespaces.ts'
import { sharedNamespaceAttacks } from './shared-namespace.ts'
import { attacksBetween } from './suite.ts'

attacksBetween({ virtual: 'embedded', host: 'embedded' }, [
  syncPolicyAttacks,
  namespaceAttacks,
  (stage) => sharedNamespaceAttacks(stage, 'slices'),
])
