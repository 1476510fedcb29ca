import { kindAttacks } from './kinds.ts'
import { namespaceAttacks } from './namespaces.ts'
import { realKindAttacks } from './real-kinds.ts'
import { sharedNamespaceAttacks } from './shared-namespace.ts'
import { attacksBetween } from './suite.ts'

attacksBetween({ virtual: 'real', host: 'real' }, [
  realKindAttacks,
  namespaceAttacks,
  (stage) => sharedNamespaceAttacks(stage, 'ingresses'),
  kindAttacks,
])
