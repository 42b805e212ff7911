#!/bin/sh
# Creates users and topic permissions for RabbitMQ. The fleet is site1. A slash in MQTT topics is a dot in
# RabbitMQ.
# rabbitmq-rights.sh cart 7 <password>: a cart, which publishes its own topics and receives the messages that
# are addressed to it
# rabbitmq-rights.sh gateway 1 <password>: a gateway that commands the other carts; its own cart is 1
# rabbitmq-rights.sh policy: run once for the cluster
set -eu
base='cart\.v1\.site1'
ctl=${RABBITMQCTL:-rabbitmqctl}
kind=$1

if [ "$kind" = policy ]; then
  # A subscription with QoS 1 belongs to the node on which it was made. If there are no copies on other nodes,
  # those nodes keep disconnecting the subscription's clients while that node is down.
  exec "$ctl" set_policy fleet '^mqtt-subscription-' '{"ha-mode":"all","ha-sync-mode":"automatic"}' --apply-to queues
fi

number=$2
user="$kind-$number"
publishes="$base\.$number\.(state|ack|connection|factsheet|visualization|sightings)"
reads="$base\.($number\.(command|heartbeat|instantActions|position)|_all\.(instantActions|command))"
if [ "$kind" = gateway ]; then
  publishes="$publishes|$base\.[^.]+\.(command|heartbeat|instantActions|position)"
  # In a permission check, RabbitMQ represents the MQTT wildcard + as *.
  reads="$base\..*"
fi

"$ctl" add_user "$user" "$3"
# Permits access to the user's own queues and to the exchange for all topics.
"$ctl" set_permissions "$user" '^mqtt-subscription-.*' '^(mqtt-subscription-.*|amq\.topic)$' '^(mqtt-subscription-.*|amq\.topic)$'
"$ctl" set_topic_permissions "$user" amq.topic "^($publishes)\$" "^($reads)\$"
