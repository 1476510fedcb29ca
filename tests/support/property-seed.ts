import fc from 'fast-check'

/** A run says something about the commit, not about luck: `npm run fuzz` is where other seeds are tried. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FUZZ_SEED ?? 20_261_115) })
