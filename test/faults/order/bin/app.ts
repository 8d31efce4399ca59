import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib/core';
import { Pipeline } from 'headrace/constructs';
import { discover } from 'headrace/module';

const app = new App();
const stack = new Stack(app, app.node.tryGetContext('stack') ?? 'headrace-order');
new Pipeline(stack, 'Pipeline', { project: discover(join(__dirname, '..')), journal: false });
