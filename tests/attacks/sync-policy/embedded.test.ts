import { syncPolicyAttacks } from './attacks.ts'
import { namespaceAttacks } from './namespaces.ts'
import { attacksBetween } from './suite.ts'

attacksBetween({ virtual: 'embedded', host: 'embedded' }, [syncPolicyAttacks, namespaceAttacks])
