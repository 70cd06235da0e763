// Imported before everything else: what is loaded first would make the young generation grow.
import { keepYoungGenerationSmall } from '../../proxy/fast/v8-tuning.ts'

if (process.argv[2] === 'record') keepYoungGenerationSmall()
