import fc from 'fast-check'

/** A run must depend on the commit, not on luck: `npm run fuzz` tries other seeds. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FUZZ_SEED ?? 20_261_115) })
