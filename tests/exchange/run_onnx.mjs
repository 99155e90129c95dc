// node run_onnx.mjs FOLDER MODEL INPUTS COLUMNS OUTPUT: runs an ONNX model in onnxruntime-web, which is in the node_modules of
// FOLDER, on rows of 32-bit floats, and prints the output of that name, a number a line.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [folder, model, inputs, columns, output] = process.argv.slice(2);
const ort = createRequire(folder + '/')('onnxruntime-web');
ort.env.wasm.numThreads = 1;
const bytes = readFileSync(inputs);
const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
const session = await ort.InferenceSession.create(new Uint8Array(readFileSync(model)));
const tensor = new ort.Tensor('float32', floats, [floats.length / columns, Number(columns)]);
const results = await session.run({ inputs: tensor });
process.stdout.write(Array.from(results[output].data, String).join('\n') + '\n');
